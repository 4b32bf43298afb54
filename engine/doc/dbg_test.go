package doc
import "testing"
func TestDbg(t *testing.T){
 s:="RESULT #2 Files: src/rates.ts (new), src/index.ts (edited) Signatures: loadRates(day: string): Promise<Rate[]> Breaking: none Summary: Added the rate loader and exported it."
 h,ok:=readResultHeading(s)
 t.Log(h,ok)
 for _,l:=range flattened(line{n:1,text:s}) { t.Logf("%q",l.text) }
 a,n:=resultSections(flattened(line{n:1,text:s}))
 t.Log(a,n)
}
