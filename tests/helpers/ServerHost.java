import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.neo4j.server.CommunityBootstrapper;

/**
 * Runs the Neo4j servers of many homes in one JVM, which compiles Neo4j once for all of them.
 *
 * <p>{@code java ServerHost.java SOCKET PID}. Whoever connects to the socket sends a line of words
 * between NUL characters:
 *
 * <ul>
 *   <li>{@code server HOME CONFIGURATION PORT}, the file of settings and the port for HTTP: answered
 *       by {@code started} or {@code failed}. The server stops when the caller sends another line or
 *       is gone.
 *   <li>{@code wait HOME}: answered when no server runs on that home any more.
 * </ul>
 *
 * <p>On one home they come one after the other; the last answer is {@code ended}. The host ends with
 * the process that has the PID.
 */
public final class ServerHost {
  private static final Map<Path, ReentrantLock> HOMES = new ConcurrentHashMap<>();

  private ServerHost() {}

  public static void main(String[] arguments) throws IOException {
    ProcessHandle.of(Long.parseLong(arguments[1]))
        .ifPresentOrElse(
            run -> run.onExit().thenRun(() -> Runtime.getRuntime().halt(0)),
            () -> Runtime.getRuntime().halt(0));
    try (var door = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      door.bind(UnixDomainSocketAddress.of(arguments[0]));
      while (true) {
        SocketChannel caller = door.accept();
        Thread.ofPlatform().daemon().start(() -> serve(caller));
      }
    }
  }

  private static void serve(SocketChannel caller) {
    try (caller;
        var requests = new BufferedReader(Channels.newReader(caller, StandardCharsets.UTF_8));
        var answers =
            new PrintStream(Channels.newOutputStream(caller), true, StandardCharsets.UTF_8)) {
      String[] words = requests.readLine().split("\0");
      Path home = Path.of(words[1]);
      ReentrantLock alone = HOMES.computeIfAbsent(home, path -> new ReentrantLock());
      alone.lock();
      try {
        if (words[0].equals("server")) {
          run(home, Path.of(words[2]), words[3], requests, answers);
        }
      } finally {
        alone.unlock();
      }
      answers.println("ended");
    } catch (IOException gone) {
      // Nobody is left to be told.
    }
  }

  private static void run(
      Path home, Path configuration, String port, BufferedReader requests, PrintStream answers) {
    var server = new CommunityBootstrapper();
    var overrides = Map.of("server.http.listen_address", "127.0.0.1:" + port);
    try {
      int code = server.start(home, configuration, overrides, false, false);
      answers.println(code == 0 ? "started" : "failed");
      if (code == 0) {
        requests.readLine();
      }
    } catch (IOException gone) {
      // A caller that was killed is gone like one that has closed its end.
    } finally {
      server.stop();
    }
  }
}
