<?php
declare(strict_types=1);

namespace Acme\Shop;

use Acme\Core\{Money, Currency as Cur};
use Psr\Log\LoggerInterface;
use function Acme\Core\fmt;

require_once __DIR__ . '/bootstrap.php';
include 'legacy.php';

const LIMIT = 10, FLOOR = 1;
define('CART_VERSION', '1');

interface HasTotal extends \Countable { const MAX = 3; public function total(): Money; }
trait Logs { protected ?LoggerInterface $log = null; public function note(string $m): void {} }
enum Status: string implements Label { case Open = 'o'; case Shut = 's'; public function label(): string { return ''; } const DEF = self::Open; }

#[Entity]
abstract class Cart extends Base implements HasTotal, \JsonSerializable
{
    use Logs, Counts;
    public const VERSION = '1';
    private const HIDDEN = 2;
    public int $count = 0, $other;
    protected array $items = [];
    private $secret;
    public static ?self $instance = null;
    var $old;
    public function __construct(private readonly string $id, public int $n = 3) {}
    public function total(): Money { return new Money(); }
    abstract protected function hook(): void;
    final public static function make(string ...$ids): static { return new static(); }
    function implicit(&$ref, $x = [1, 2]) {}
    private function hidden() {}
}
final class Empty_ {}
function cart_total(Cart $c, int|float $rate = 1.0): ?float { return null; }
if (!function_exists('helper')) { function helper() {} }
$anon = new class { public function no() {} };
$fn = function () {};
