import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.stream.Collectors;
import weka.attributeSelection.ASEvaluation;
import weka.attributeSelection.ASSearch;
import weka.attributeSelection.AttributeSelection;
import weka.attributeSelection.AttributeEvaluator;
import weka.classifiers.Classifier;
import weka.core.Instances;
import weka.core.Utils;
import weka.core.converters.ArffLoader;
import weka.filters.Filter;
import weka.filters.supervised.attribute.Discretize;
import weka.filters.unsupervised.attribute.Remove;

/** Runs Weka's classes on tasks that come in a line each, fields parted by tabs; answers each with a line.
 *  One start of Java serves all tasks. "weka.py" is its other end. */
public class WekaTasks {
    static Instances train, test;

    public static void main(String[] ignored) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err); // Weka's own talk is no answer
        BufferedReader tasks = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = tasks.readLine()) != null; ) {
            String answer;
            try {
                answer = "ok\t" + run(line.split("\t", -1));
            } catch (Throwable error) {
                answer = "error\t" + error.toString().replaceAll("\\s+", " ");
            }
            answers.println(answer);
            answers.flush();
        }
    }

    static String run(String[] task) throws Exception {
        switch (task[0]) {
            case "load": train = read(task[1]); test = task[2].isEmpty() ? null : read(task[2]); return "";
            case "select": return select(task[1], task[2]);
            case "evaluate": return evaluate(task[1]);
            case "cuts": return cuts();
            case "predict": return predict(task[1], task[2]);
            default: throw new IllegalArgumentException("no task " + task[0]);
        }
    }

    static Instances read(String file) throws Exception {
        ArffLoader loader = new ArffLoader();
        loader.setFile(new File(file));
        Instances data = loader.getDataSet();
        data.setClassIndex(data.numAttributes() - 1);
        return data;
    }

    /** Positions from 0; in the order of a ranking where the search ranks. */
    static String select(String evaluator, String search) throws Exception {
        AttributeSelection selection = new AttributeSelection();
        String[] words = Utils.splitOptions(evaluator);
        selection.setEvaluator(ASEvaluation.forName(words[0], Arrays.copyOfRange(words, 1, words.length)));
        words = Utils.splitOptions(search);
        selection.setSearch(ASSearch.forName(words[0], Arrays.copyOfRange(words, 1, words.length)));
        selection.SelectAttributes(train);
        return Arrays.stream(selection.selectedAttributes()).filter(i -> i != train.classIndex())
            .mapToObj(String::valueOf).collect(Collectors.joining(" "));
    }

    /** What an evaluator of single attributes says of each. */
    static String evaluate(String evaluator) throws Exception {
        String[] words = Utils.splitOptions(evaluator);
        ASEvaluation built = ASEvaluation.forName(words[0], Arrays.copyOfRange(words, 1, words.length));
        built.buildEvaluator(train);
        StringBuilder merits = new StringBuilder();
        for (int i = 0; i < train.classIndex(); i++) {
            merits.append(((AttributeEvaluator) built).evaluateAttribute(i)).append(' ');
        }
        return merits.toString().trim();
    }

    /** The cut points of each attribute by Fayyad and Irani's rule, attributes parted by ';'. */
    static String cuts() throws Exception {
        Discretize rule = new Discretize();
        rule.setUseBetterEncoding(true); // as CfsSubsetEval and SymmetricalUncertAttributeEval do
        rule.setInputFormat(train);
        Filter.useFilter(train, rule);
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < train.classIndex(); i++) {
            double[] cuts = train.attribute(i).isNumeric() ? rule.getCutPoints(i) : null;
            if (cuts != null) {
                all.append(Arrays.stream(cuts).mapToObj(String::valueOf).collect(Collectors.joining(" ")));
            }
            all.append(';');
        }
        return all.toString();
    }

    /** The codes of the classes predicted for the test set, by a classifier built on some columns ("" = all). */
    static String predict(String options, String columns) throws Exception {
        String[] words = Utils.splitOptions(options);
        Classifier classifier = Classifier.forName(words[0], Arrays.copyOfRange(words, 1, words.length));
        Instances from = train, to = test;
        if (!columns.isEmpty()) {
            Remove keep = new Remove();
            int[] kept = Arrays.stream((columns + " " + train.classIndex()).trim().split(" "))
                .mapToInt(Integer::parseInt).toArray();
            keep.setAttributeIndicesArray(kept);
            keep.setInvertSelection(true);
            keep.setInputFormat(train);
            from = Filter.useFilter(train, keep);
            to = Filter.useFilter(test, keep);
        }
        classifier.buildClassifier(from);
        StringBuilder codes = new StringBuilder();
        for (int i = 0; i < to.numInstances(); i++) {
            codes.append((int) classifier.classifyInstance(to.instance(i))).append(' ');
        }
        return codes.toString().trim();
    }
}
