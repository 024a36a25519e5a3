import eu.europa.esig.dss.diagnostic.TimestampWrapper;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import java.io.File;
import java.time.Instant;
import java.util.Date;
import java.util.stream.Collectors;

/**
 * Validates every signed document of a folder as of several dates, and prints one line for each: date, file, level,
 * indication, best signature time, then for each time stamp its type, its own indication and whether imprint and
 * signature are intact. DSS calls a document passed whose time stamps are of something else: read them.
 *
 * Arguments: the dates (ISO 8601, with commas), the folder, then the PEM files of the certificates to trust.
 */
class DssLevelJudge {
  public static void main(String[] arguments) {
    var trusted = new CommonTrustedCertificateSource();
    for (int i = 2; i < arguments.length; i++) {
      trusted.addCertificate(DSSUtils.loadCertificate(new File(arguments[i])));
    }
    var verifier = new CommonCertificateVerifier();
    verifier.setTrustedCertSources(trusted);
    for (String at : arguments[0].split(",")) {
      for (File file : new File(arguments[1]).listFiles((folder, name) -> name.endsWith(".xml"))) {
        System.out.println(at + "\t" + judge(file, verifier, Date.from(Instant.parse(at))));
      }
    }
  }

  static String judge(File file, CommonCertificateVerifier verifier, Date at) {
    var validator = SignedDocumentValidator.fromDocument(new FileDocument(file));
    validator.setCertificateVerifier(verifier);
    validator.setValidationTime(at);
    var reports = validator.validateDocument();
    var report = reports.getSimpleReport();
    var id = report.getFirstSignatureId();
    var timeStamps =
        reports.getDiagnosticData().getTimestampList().stream()
            .map(stamp -> describe(stamp, String.valueOf(report.getIndication(stamp.getId()))))
            .collect(Collectors.joining(" "));
    return String.join(
        "\t",
        file.getName(),
        String.valueOf(report.getSignatureFormat(id)),
        String.valueOf(report.getIndication(id)),
        report.getBestSignatureTime(id).toInstant().toString(),
        timeStamps);
  }

  static String describe(TimestampWrapper stamp, String indication) {
    var isIntact = stamp.isMessageImprintDataFound() && stamp.isMessageImprintDataIntact();
    return String.join(
        ":", stamp.getType().name(), indication, String.valueOf(isIntact && stamp.isSignatureIntact()));
  }
}
