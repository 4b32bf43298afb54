package main

import (
	"fmt"
	"math"
	"reflect"

	"growbench/mapgen/recall"
)

// tune goes through the weights one after another and keeps each change that
// answers these questions better, until none does.
func tune(exams []exam, w recall.Weights) {
	worth := func(w recall.Weights) (sum float64) {
		for _, e := range exams {
			r := score(e.index, e.questions, w)
			sum += (r.recall + r.hit) / float64(len(exams))
		}
		return sum
	}
	best := worth(w)
	for round, better := 0, true; better && round < 4; round++ {
		better = false
		v := reflect.ValueOf(&w).Elem()
		for i := range v.NumField() {
			f, name := v.Field(i), v.Type().Field(i).Name
			for _, factor := range []float64{0.5, 0.75, 1.33, 2} {
				old := reflect.ValueOf(f.Interface())
				if f.CanFloat() {
					f.SetFloat(round2(f.Float() * factor))
				} else {
					f.SetInt(int64(math.Round(float64(f.Int()) * factor)))
				}
				if now := worth(w); now > best+0.0005 {
					best, better = now, true
					fmt.Printf("  %-10s %v -> %v: %.4f\n", name, old, f, best)
				} else {
					f.Set(old)
				}
			}
		}
	}
	fmt.Printf("  %+v\n", w)
}

func round2(x float64) float64 {
	scale := math.Pow(10, 2-math.Ceil(math.Log10(math.Abs(x)+1e-9)))
	return math.Round(x*scale) / scale
}
