using Acme.Books;
namespace Acme.Web;
#if DEBUG
public class Probe { public void Run() {} }
#endif
public class Api(ILedger ledger) : Controller
{
    public required string Path { get; set; }
    protected internal int Mixed() => 1;
}
