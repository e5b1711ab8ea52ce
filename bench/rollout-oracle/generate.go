package rollout

import (
	"fmt"
	"math/rand"
	"slices"
)

// generate makes n random scenarios of a kind.
func generate(kind string, seed int64, n int) []*Scenario {
	r := rand.New(rand.NewSource(seed))
	var all []*Scenario
	for i := range n {
		g := generator{r}
		name := fmt.Sprintf("%s-%03d", map[string]string{"Deployment": "deploy", "StatefulSet": "sts", "DaemonSet": "ds", "Drain": "drain", "Undo": "undo"}[kind], i+1)
		switch kind {
		case "Drain":
			all = append(all, g.drain(name))
		case "Undo":
			all = append(all, g.undo(name))
		default:
			all = append(all, g.scenario(kind, name))
		}
	}
	return all
}

type generator struct{ *rand.Rand }

func (g generator) chance(p float64) bool { return g.Float64() < p }

func pick[T any](g generator, of ...T) T { return of[g.Intn(len(of))] }

type m = map[string]any

func (g generator) scenario(kind, name string) *Scenario {
	s := &Scenario{Name: name, Nodes: 1 + g.Intn(4), Pods: map[string][]Script{}}
	spec := m{"selector": m{"matchLabels": m{"app": "app"}}, "template": g.template("app:1")}
	s.Pods["app:1"] = g.scripts(g.chance(0.85))
	if g.chance(0.5) {
		spec["minReadySeconds"] = pick(g, 1, 3, 5, 8)
	}
	replicas := pick(g, 1, 2, 3, 4, 5, 6, 8, 10, 13)
	switch kind {
	case "Deployment":
		g.deployment(spec, replicas)
	case "StatefulSet":
		g.statefulSet(spec, pick(g, 1, 2, 3, 4, 5))
	case "DaemonSet":
		s.Nodes = 1 + g.Intn(8)
		if g.chance(0.8) {
			rolling := m{"maxUnavailable": pick[any](g, 1, 2, "25%", "50%", "100%")}
			if g.chance(0.4) {
				rolling = m{"maxUnavailable": 0, "maxSurge": pick[any](g, 1, 2, "30%", "100%")}
			}
			spec["updateStrategy"] = m{"type": "RollingUpdate", "rollingUpdate": rolling}
		} else if g.chance(0.5) {
			spec["updateStrategy"] = m{"type": "OnDelete"}
		}
	}
	s.Object = m{"apiVersion": "apps/v1", "kind": kind, "metadata": m{"name": "app"}, "spec": spec}
	if g.chance(0.7) {
		s.Service = m{"apiVersion": "v1", "kind": "Service", "metadata": m{"name": "app"},
			"spec": m{"selector": m{"app": "app"}, "ports": []any{m{"port": 80, "targetPort": 8080}}}}
		if g.chance(0.15) {
			s.Service["spec"].(m)["publishNotReadyAddresses"] = true
		}
	}
	if g.chance(0.3) && kind != "DaemonSet" {
		limit := m{"minAvailable": pick[any](g, 1, 2, "50%", "80%")}
		if g.chance(0.5) {
			limit = m{"maxUnavailable": pick[any](g, 0, 1, "25%", "50%")}
		}
		limit["selector"] = m{"matchLabels": m{"app": "app"}}
		s.PDB = m{"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": m{"name": "app"}, "spec": limit}
	}
	g.actions(s, kind)
	return s
}

func (g generator) template(image string) m {
	spec := m{"containers": []any{m{"name": "app", "image": image}}}
	return m{"metadata": m{"labels": m{"app": "app"}}, "spec": spec}
}

func (g generator) deployment(spec m, replicas int) {
	spec["replicas"] = replicas
	if g.chance(0.15) {
		spec["strategy"] = m{"type": "Recreate"}
	} else if g.chance(0.8) {
		rolling := m{}
		if g.chance(0.8) {
			rolling["maxSurge"] = pick[any](g, 0, 1, 2, 3, "10%", "25%", "33%", "50%", "100%")
		}
		if g.chance(0.8) {
			rolling["maxUnavailable"] = pick[any](g, 0, 1, 2, "10%", "25%", "34%", "60%", "100%")
		}
		if rolling["maxSurge"] == 0 && rolling["maxUnavailable"] == 0 {
			rolling["maxUnavailable"] = 1
		}
		spec["strategy"] = m{"type": "RollingUpdate", "rollingUpdate": rolling}
	}
	if g.chance(0.5) {
		deadline := pick(g, 10, 15, 20, 30)
		if d, ok := spec["minReadySeconds"].(int); ok && deadline <= d {
			deadline = d + 5
		}
		spec["progressDeadlineSeconds"] = deadline
	}
	if g.chance(0.2) {
		spec["revisionHistoryLimit"] = pick(g, 0, 1, 2)
	}
}

func (g generator) statefulSet(spec m, replicas int) {
	spec["replicas"] = replicas
	spec["serviceName"] = "app"
	if g.chance(0.4) {
		spec["podManagementPolicy"] = "Parallel"
	}
	if g.chance(0.5) {
		if g.chance(0.8) {
			spec["updateStrategy"] = m{"type": "RollingUpdate", "rollingUpdate": m{"partition": g.Intn(replicas + 1)}}
		} else {
			spec["updateStrategy"] = m{"type": "OnDelete"}
		}
	}
}

// scripts are the lives of an image's pods.
func (g generator) scripts(good bool) []Script {
	var all []Script
	base := float64(1 + g.Intn(8))
	for range 1 + g.Intn(3) {
		s := Script{Ready: [][2]float64{{base + float64(g.Intn(3)), 1}}, Gone: float64(g.Intn(4))}
		if g.chance(0.2) {
			s.Gone += float64(g.Intn(15))
		}
		if !good || g.chance(0.1) {
			g.trouble(&s)
		}
		all = append(all, s)
	}
	return all
}

func (g generator) trouble(s *Script) {
	switch g.Intn(4) {
	case 0:
		s.Ready = nil // never ready
	case 1:
		s.Fails = 1 + float64(g.Intn(20))
		if s.Fails < 3 {
			s.Fails = 3
		}
	default: // flaps
		at := s.Ready[0][0]
		for i := range 2 * (1 + g.Intn(5)) {
			at += float64(1 + g.Intn(9))
			s.Ready = append(s.Ready, [2]float64{at, float64(i % 2)})
		}
	}
}

func (g generator) actions(s *Scenario, kind string) {
	images := 1
	update := func() m {
		images++
		image := fmt.Sprintf("app:%d", images)
		s.Pods[image] = g.scripts(g.chance(0.6))
		return m{"spec": m{"template": m{"spec": m{"containers": []any{m{"name": "app", "image": image}}}}}}
	}
	at := float64(15 + g.Intn(20))
	if g.chance(0.3) {
		at = float64(g.Intn(12))
	}
	times := []float64{at + 0.5}
	for range g.Intn(4) {
		times = append(times, at+float64(g.Intn(35))+0.5)
	}
	slices.Sort(times)
	paused := false
	times = slices.Compact(times) // what happens at one instant hangs on chance
	for i, t := range times {
		a := Action{At: t}
		switch c := g.Float64(); {
		case i == 0 || c < 0.25:
			a.Patch = update()
		case c < 0.55 && kind != "DaemonSet":
			a.Patch = m{"spec": m{"replicas": pick(g, 0, 1, 2, 3, 5, 7, 9, 12)}}
			if kind == "StatefulSet" {
				a.Patch = m{"spec": m{"replicas": g.Intn(6)}}
			}
		case c < 0.7 && kind == "Deployment":
			paused = !paused
			a.Patch = m{"spec": m{"paused": paused}}
		case c < 0.85 && kind == "Deployment":
			a.Rollback = new(int64)
		default:
			a.Patch = update()
		}
		s.Actions = append(s.Actions, a)
	}
	s.Until = times[len(times)-1] - 0.5 + float64(40+g.Intn(40))
}
