import java.io.File;
import java.util.stream.Collectors;
import javax.xml.transform.stream.StreamSource;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.XPathCompiler;
import net.sf.saxon.s9api.XdmAtomicValue;
import net.sf.saxon.s9api.XdmDestination;
import net.sf.saxon.s9api.XdmNode;
import net.sf.saxon.s9api.XsltExecutable;

/**
 * Judges every document of a folder by the EN 16931 rules (compiled Schematron), and prints one line for each: file, rules
 * fired, then each failed rule as `flag:id`, separated by tabs.
 *
 * Arguments: the folder, the XSLT.
 */
class En16931Judge {
  public static void main(String[] arguments) throws Exception {
    var processor = new Processor(false);
    var compiler = processor.newXsltCompiler();
    compiler.setErrorList(new java.util.ArrayList<>());
    XsltExecutable rules = compiler.compile(new StreamSource(new File(arguments[1])));
    XPathCompiler xpath = processor.newXPathCompiler();
    xpath.declareNamespace("svrl", "http://purl.oclc.org/dsdl/svrl");
    for (File file : new File(arguments[0]).listFiles((folder, name) -> name.endsWith(".xml"))) {
      var report = new XdmDestination();
      var transformer = rules.load30();
      transformer.transform(new StreamSource(file), report);
      XdmNode svrl = report.getXdmNode();
      var fired = (XdmAtomicValue) xpath.evaluateSingle("count(//svrl:fired-rule)", svrl);
      var failed =
          xpath.evaluate("//svrl:failed-assert/concat(@flag, ':', @id)", svrl).stream()
              .map(item -> item.getStringValue())
              .collect(Collectors.joining("\t"));
      System.out.println(file.getName() + "\t" + fired.getStringValue() + "\t" + failed);
    }
  }
}
