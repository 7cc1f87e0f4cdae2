/** The expected values of a scenario, and their comparison with actual ones. */

/** The values that steps have captured, and those of the case: `$call.id`, `$case.end`. */
export type Scope = Readonly<Record<string, unknown>>;

const REFERENCE = /\$([a-z_][\w]*(?:\.[\w]+)*)/gi;

/** Returns a value in the scope by its path. Undefined if there is none. */
function lookUp(scope: Scope, path: string): unknown {
  let at: unknown = scope;
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/**
 * Returns the value with its references filled in. A lone reference keeps its type, one within a text becomes text.
 */
export function fillIn(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') {
    const alone = /^\$([a-z_][\w]*(?:\.[\w]+)*)$/i.exec(value);
    if (alone) return lookUp(scope, alone[1] as string);
    return value.replaceAll(REFERENCE, (_, path: string) => String(lookUp(scope, path)));
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, scope));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, scope)]));
}

const COMPARISON = /^(>=|<=|>|<|!=)\s*(-?\d+(?:\.\d+)?)$/;

/**
 * Returns whether a value fits the expected one. A map fits when each of its entries does. `any` fits any present
 * value. '>= 3' compares. '/x/' is a regular expression. Anything else must be equal.
 */
export function fits(actual: unknown, wanted: unknown): boolean {
  if (wanted === 'any') return actual !== undefined && actual !== null;
  if (typeof wanted === 'string') {
    const comparison = COMPARISON.exec(wanted);
    if (comparison)
      return typeof actual === 'number' && compares(actual, comparison[1] as string, Number(comparison[2]));
    const pattern = /^\/(.*)\/$/s.exec(wanted);
    if (pattern) return typeof actual === 'string' && new RegExp(pattern[1] as string, 'u').test(actual);
  }
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(actual) && actual.length === wanted.length && wanted.every((item, at) => fits(actual[at], item))
    );
  }
  if (typeof wanted === 'object' && wanted !== null) {
    return (
      typeof actual === 'object' &&
      actual !== null &&
      Object.entries(wanted).every(([key, item]) => fits((actual as Record<string, unknown>)[key], item))
    );
  }
  return Object.is(actual, wanted);
}

function compares(actual: number, operator: string, bound: number): boolean {
  switch (operator) {
    case '>=':
      return actual >= bound;
    case '<=':
      return actual <= bound;
    case '>':
      return actual > bound;
    case '<':
      return actual < bound;
    default:
      return actual !== bound;
  }
}

/** Evaluates a condition: `$case.end == connected`, `not $case.stays`, `$case.stays`. */
export function holds(condition: string, scope: Scope): boolean {
  const negated = /^not\s+(.*)$/s.exec(condition);
  if (negated) return !holds(negated[1] as string, scope);
  const comparison = /^(\S+)\s*(==|!=)\s*(\S+)$/.exec(condition);
  if (!comparison) return Boolean(fillIn(condition.trim(), scope));
  const [left, right] = [comparison[1], comparison[3]].map((side) => String(fillIn(side, scope)));
  return (left === right) === (comparison[2] === '==');
}

/** Returns a value for a message: short, on one line. */
export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 157)}...` : text;
}
