import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jetbrains.kotlin.cli.common.config.ContentRootsKt;
import org.jetbrains.kotlin.cli.common.messages.MessageCollector;
import org.jetbrains.kotlin.cli.jvm.compiler.EnvironmentConfigFiles;
import org.jetbrains.kotlin.cli.jvm.compiler.KotlinCoreEnvironment;
import org.jetbrains.kotlin.cli.jvm.compiler.NoScopeRecordCliBindingTrace;
import org.jetbrains.kotlin.cli.jvm.compiler.TopDownAnalyzerFacadeForJVM;
import org.jetbrains.kotlin.cli.jvm.config.JvmContentRootsKt;
import org.jetbrains.kotlin.com.intellij.openapi.util.Disposer;
import org.jetbrains.kotlin.com.intellij.psi.PsiElement;
import org.jetbrains.kotlin.com.intellij.psi.PsiNameIdentifierOwner;
import org.jetbrains.kotlin.com.intellij.psi.util.PsiTreeUtil;
import org.jetbrains.kotlin.config.CommonConfigurationKeys;
import org.jetbrains.kotlin.config.CompilerConfiguration;
import org.jetbrains.kotlin.config.JVMConfigurationKeys;
import org.jetbrains.kotlin.descriptors.CallableDescriptor;
import org.jetbrains.kotlin.descriptors.CallableMemberDescriptor;
import org.jetbrains.kotlin.descriptors.ConstructorDescriptor;
import org.jetbrains.kotlin.psi.KtCallExpression;
import org.jetbrains.kotlin.psi.KtExpression;
import org.jetbrains.kotlin.psi.KtFile;
import org.jetbrains.kotlin.resolve.BindingContext;
import org.jetbrains.kotlin.resolve.DescriptorToSourceUtils;
import org.jetbrains.kotlin.resolve.DescriptorUtils;
import org.jetbrains.kotlin.resolve.calls.model.ResolvedCall;
import org.jetbrains.kotlin.resolve.calls.model.VariableAsFunctionResolvedCall;
import org.jetbrains.kotlin.resolve.calls.util.CallUtilKt;

/**
 * Writes where the Kotlin compiler says that the called names of a folder are defined, as {@code
 * calls.py --answers} reads it: {@code java -Xmx3g -cp 'COMPILER/*' benchmarks/KotlinCalls.java
 * FOLDER LIBRARIES > answers.json}.
 *
 * <p>COMPILER has the jars of {@code org.jetbrains.kotlin:kotlin-compiler-embeddable:2.0.21},
 * LIBRARIES those that the folder needs, both as {@code mvn dependency:copy-dependencies} puts them
 * there. A call of what is in neither is left out. All files are read as one program: where two
 * define the same for different platforms, one of them is taken.
 */
class KotlinCalls {
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

  private final Path folder;
  private final BindingContext context;
  private final List<String> answers = new ArrayList<>();

  KotlinCalls(Path folder, BindingContext context) {
    this.folder = folder;
    this.context = context;
  }

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]).toRealPath();
    var configuration = new CompilerConfiguration();
    configuration.put(CommonConfigurationKeys.MODULE_NAME, "calls");
    configuration.put(
        CommonConfigurationKeys.MESSAGE_COLLECTOR_KEY, MessageCollector.Companion.getNONE());
    configuration.put(JVMConfigurationKeys.JDK_HOME, new File(System.getProperty("java.home")));
    List<File> libraries = List.of(new File(arguments[1]).listFiles());
    JvmContentRootsKt.addJvmClasspathRoots(configuration, libraries);
    addSources(configuration, folder);
    var environment =
        KotlinCoreEnvironment.createForProduction(
            Disposer.newDisposable(), configuration, EnvironmentConfigFiles.JVM_CONFIG_FILES);
    var trace = new NoScopeRecordCliBindingTrace(environment.getProject());
    List<KtFile> files = environment.getSourceFiles();
    TopDownAnalyzerFacadeForJVM.analyzeFilesWithJavaIntegration(
        environment.getProject(),
        files,
        trace,
        configuration,
        environment::createPackagePartProvider);
    var calls = new KotlinCalls(folder, trace.getBindingContext());
    for (KtFile file : files) {
      PsiTreeUtil.collectElementsOfType(file, KtCallExpression.class).forEach(calls::add);
    }
    System.out.println("[" + String.join(",\n", calls.answers) + "]");
    System.exit(0);
  }

  /** Kotlin is given by its files, Java by the folders below which its packages are. */
  private static void addSources(CompilerConfiguration configuration, Path folder)
      throws IOException {
    List<Path> files;
    try (var walk = Files.walk(folder)) {
      files = walk.sorted().toList();
    }
    var kotlin = new ArrayList<String>();
    var roots = new TreeSet<File>();
    for (Path file : files) {
      if (file.toString().endsWith(".kt")) {
        kotlin.add(file.toString());
      } else if (file.toString().endsWith(".java")) {
        Matcher name = PACKAGE.matcher(Files.readString(file));
        Path root = file.getParent();
        for (int left = name.find() ? name.group(1).split("\\.").length : 0; left > 0; left--) {
          root = root.getParent();
        }
        roots.add(root.toFile());
      }
    }
    JvmContentRootsKt.addJavaSourceRoots(configuration, new ArrayList<>(roots), null);
    ContentRootsKt.addKotlinSourceRoots(configuration, kotlin);
  }

  private void add(KtCallExpression call) {
    KtExpression callee = call.getCalleeExpression();
    ResolvedCall<?> resolved = CallUtilKt.getResolvedCall(call, context);
    if (callee == null || resolved == null) {
      return;
    }
    if (resolved instanceof VariableAsFunctionResolvedCall variable) {
      resolved = variable.getVariableCall();
    }
    CallableDescriptor called = resolved.getResultingDescriptor();
    if (called instanceof CallableMemberDescriptor member) {
      called = DescriptorUtils.unwrapFakeOverride(member);
    }
    if (!called.toString().contains("ERROR")) {
      PsiElement definition = definition(called);
      answers.add(
          "{\"path\": \"%s\", \"line\": %d, \"text\": \"%s\", \"file\": \"%s\", \"defined\": %d}"
              .formatted(
                  path(callee),
                  line(callee),
                  callee.getText().replaceAll("[\"\\\\\\s]", " "),
                  definition == null ? "elsewhere" : path(definition),
                  definition == null ? 1 : line(definition)));
    }
  }

  /** The name that is defined; null for what is not in the folder. */
  private PsiElement definition(CallableDescriptor called) {
    PsiElement source = DescriptorToSourceUtils.getSourceFromDescriptor(called.getOriginal());
    if (source == null && called instanceof ConstructorDescriptor constructor) {
      source =
          DescriptorToSourceUtils.getSourceFromDescriptor(constructor.getConstructedClass());
    }
    if (source == null || source.getContainingFile().getVirtualFile() == null) {
      return null;
    }
    if (!file(source).startsWith(folder)) {
      return null;
    }
    boolean isNamed =
        source instanceof PsiNameIdentifierOwner owner && owner.getNameIdentifier() != null;
    return isNamed ? ((PsiNameIdentifierOwner) source).getNameIdentifier() : source;
  }

  private String path(PsiElement element) {
    return folder.relativize(file(element)).toString();
  }

  private static Path file(PsiElement element) {
    return Path.of(element.getContainingFile().getVirtualFile().getPath());
  }

  private static long line(PsiElement element) {
    String text = element.getContainingFile().getText();
    int start = element.getTextRange().getStartOffset();
    return 1 + text.substring(0, start).chars().filter(character -> character == '\n').count();
  }
}
