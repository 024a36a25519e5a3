import java.io.File;
import java.io.FileInputStream;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;

/**
 * Validates every PDF of a folder with veraPDF, and prints one line for each flavour: file, flavour, whether it is
 * compliant, how many checks were made, then each rule that fails with its first message, separated by tabs.
 *
 * Arguments: the folder, then the flavours (3b, 3a, ua1).
 */
class PdfJudge {
  public static void main(String[] arguments) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    var files = new File(arguments[0]).listFiles((folder, name) -> name.endsWith(".pdf"));
    Arrays.sort(files);
    for (File file : files) {
      for (int i = 1; i < arguments.length; i++) {
        System.out.println(judge(file, PDFAFlavour.fromString(arguments[i])));
      }
    }
  }

  static String judge(File file, PDFAFlavour flavour) throws Exception {
    try (var input = new FileInputStream(file);
        var parser = Foundries.defaultInstance().createParser(input, flavour);
        var validator = Foundries.defaultInstance().createValidator(flavour, false)) {
      var result = validator.validate(parser);
      var failed =
          result.getTestAssertions().stream()
              .filter(assertion -> assertion.getStatus() == TestAssertion.Status.FAILED)
              .collect(
                  Collectors.toMap(
                      assertion ->
                          assertion.getRuleId().getClause() + "-" + assertion.getRuleId().getTestNumber(),
                      assertion -> assertion.getMessage() + " at " + assertion.getLocation().getContext(),
                      (first, second) -> first));
      return String.join(
          "\t",
          file.getName(),
          flavour.getId(),
          String.valueOf(result.isCompliant()),
          String.valueOf(result.getTotalAssertions()),
          failed.toString());
    }
  }
}
