package scan
import ("testing";"context";"time";"fmt";"os")
func TestQuick(t *testing.T){ for _,r:=range []string{"/tmp/hm/repo","/tmp/hm/std"} { for range 3 { t0:=time.Now(); tr,err:=Scan(context.Background(),r,Options{}); if err!=nil{t.Fatal(err)}; n:=0; for _,d:=range tr.Dirs{n+=len(d.Files)}; fmt.Println(r,len(tr.Dirs),n,tr.Skipped,time.Since(t0)) } }
 t0:=time.Now(); tr,err:=Look(context.Background(),"/tmp/hm/repo",[]string{"net/http"},func(string)[]string{return nil},Options{}); fmt.Println(len(tr.Dirs[0].Files),tr.Dirs[0].Dirs,err,time.Since(t0))
 _=os.Args
}
