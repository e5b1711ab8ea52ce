package rollout

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"
	"testing/synctest"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

var (
	kind = flag.String("kind", "Deployment", "Deployment, StatefulSet, DaemonSet, Drain (of a node) or Undo (of a StatefulSet or DaemonSet)")
	seed = flag.Int64("seed", 19, "of the scenarios")
	n    = flag.Int("n", 10, "scenarios")
	runs = flag.Int("runs", 12, "of each scenario")
	in   = flag.String("in", "", "scenarios to play instead of random ones, one a line")
	out  = flag.String("out", "", "file for the scenarios with their facts")
)

// TestFacts writes each scenario with the facts on which its runs agree.
func TestFacts(t *testing.T) {
	if *out == "" {
		t.Skip("no -out")
	}
	klog.SetLogger(klog.Logger{})
	utilruntime.ErrorHandlers = nil // they sleep by a clock that all bubbles share
	file, err := os.Create(*out)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	allKnown, all := 0, 0
	for _, s := range scenarios(t) {
		var played [][]map[string]any
		for i := range *runs {
			synctest.Test(t, func(t *testing.T) { played = append(played, play(s, int64(i))) })
		}
		facts, known, total := agreed(played)
		s.Facts = facts
		allKnown, all = allKnown+known, all+total
		line, _ := json.Marshal(s)
		fmt.Fprintf(file, "%s\n", line)
	}
	fmt.Printf("the runs agree on %d of %d values (%.1f %%)\n", allKnown, all, 100*float64(allKnown)/float64(all))
}

func scenarios(t *testing.T) (list []*Scenario) {
	if *in == "" {
		return generate(*kind, *seed, *n)
	}
	file, err := os.Open(*in)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		s := &Scenario{}
		if err := json.Unmarshal(lines.Bytes(), s); err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}
