import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Element;
import javax.tools.DiagnosticListener;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/**
 * Writes where javac says that the called names of a folder are defined, as `calls.py --answers`
 * reads it: {@code java benchmarks/JavaCalls.java FOLDER > answers.json}.
 *
 * <p>Classes of other libraries are not there; what needs them is left out.
 */
class JavaCalls extends TreePathScanner<Void, Void> {
  private final Path folder;
  private final Trees trees;
  private final List<String> answers = new ArrayList<>();

  JavaCalls(Path folder, Trees trees) {
    this.folder = folder;
    this.trees = trees;
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]).toAbsolutePath();
    List<Path> files;
    try (var walk = Files.walk(folder)) {
      files = walk.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticListener<JavaFileObject> silent = diagnostic -> {};
    var manager = compiler.getStandardFileManager(silent, null, null);
    var sources = manager.getJavaFileObjectsFromPaths(files);
    var options = List.of("-proc:none", "-XDshould-stop.ifError=FLOW", "-Xmaxerrs", "1");
    var task = (JavacTask) compiler.getTask(null, manager, silent, options, null, sources);
    var units = task.parse();
    task.analyze();
    var scanner = new JavaCalls(folder, Trees.instance(task));
    units.forEach(unit -> scanner.scan(unit, null));
    System.out.println("[" + String.join(",\n", scanner.answers) + "]");
  }

  @Override
  public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
    ExpressionTree called = call.getMethodSelect();
    String name =
        called instanceof MemberSelectTree member
            ? member.getIdentifier().toString()
            : called instanceof IdentifierTree identifier ? identifier.getName().toString() : "";
    if (!name.equals("super") && !name.equals("this")) {
      // Where the name stands: behind the object, in chains of calls on a line further down.
      long end = trees.getSourcePositions().getEndPosition(unit(), called);
      add(name, trees.getElement(new TreePath(getCurrentPath(), called)), end);
    }
    return super.visitMethodInvocation(call, nothing);
  }

  @Override
  public Void visitNewClass(NewClassTree creation, Void nothing) {
    Tree type = creation.getIdentifier();
    Tree simple = type instanceof ParameterizedTypeTree generic ? generic.getType() : type;
    String name = simple.toString().substring(simple.toString().lastIndexOf('.') + 1);
    long end = trees.getSourcePositions().getEndPosition(unit(), simple);
    add(name, trees.getElement(new TreePath(getCurrentPath(), simple)), end);
    return super.visitNewClass(creation, nothing);
  }

  private CompilationUnitTree unit() {
    return getCurrentPath().getCompilationUnit();
  }

  private void add(String name, Element element, long place) {
    if (element == null || element.asType().getKind().name().equals("ERROR")) {
      return;
    }
    TreePath definition = trees.getPath(element);
    String file = definition == null ? "elsewhere" : path(definition.getCompilationUnit());
    long line = definition == null ? 1 : firstLine(definition);
    answers.add(
        "{\"path\": \"%s\", \"line\": %d, \"text\": \"%s\", \"file\": \"%s\", \"defined\": %d}"
            .formatted(path(unit()), lineAt(place - 1), name, file, line));
  }

  private long lineAt(long place) {
    return unit().getLineMap().getLineNumber(place);
  }

  private long firstLine(TreePath definition) {
    CompilationUnitTree unit = definition.getCompilationUnit();
    long start = trees.getSourcePositions().getStartPosition(unit, definition.getLeaf());
    return unit.getLineMap().getLineNumber(start);
  }

  private String path(CompilationUnitTree unit) {
    return folder.relativize(Path.of(unit.getSourceFile().toUri())).toString();
  }
}
