import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import java.io.File;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * Validates every signed document of a folder with DSS and its default policy, and prints one line for each: file, level,
 * indication, sub-indication, scopes, errors, warnings, separated by tabs.
 *
 * Arguments: the folder, then the PEM files of the certificates to trust.
 */
class DssJudge {
  public static void main(String[] arguments) {
    var trusted = new CommonTrustedCertificateSource();
    for (int i = 1; i < arguments.length; i++) {
      CertificateToken certificate = DSSUtils.loadCertificate(new File(arguments[i]));
      trusted.addCertificate(certificate);
    }
    var verifier = new CommonCertificateVerifier();
    verifier.setTrustedCertSources(trusted);
    for (File file : new File(arguments[0]).listFiles((folder, name) -> name.endsWith(".xml"))) {
      System.out.println(judge(file.toPath(), verifier));
    }
  }

  static String judge(Path file, CommonCertificateVerifier verifier) {
    var validator = SignedDocumentValidator.fromDocument(new FileDocument(file.toFile()));
    validator.setCertificateVerifier(verifier);
    var report = validator.validateDocument().getSimpleReport();
    var id = report.getFirstSignatureId();
    var scopes =
        report.getSignatureScopes(id).stream()
            .map(scope -> scope.getScope().name())
            .collect(Collectors.joining(","));
    return String.join(
        "\t",
        file.getFileName().toString(),
        String.valueOf(report.getSignatureFormat(id)),
        String.valueOf(report.getIndication(id)),
        String.valueOf(report.getSubIndication(id)),
        scopes,
        String.valueOf(report.getAdESValidationErrors(id).stream().map(m -> m.getValue()).toList()),
        String.valueOf(
            report.getAdESValidationWarnings(id).stream().map(m -> m.getValue()).toList()));
  }
}
