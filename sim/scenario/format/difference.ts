/** Returns the first difference of two documents, in words. Undefined if they are equal. */
export function differenceOf(one: unknown, other: unknown, path: readonly string[] = []): string | undefined {
  if (Object.is(one, other)) return undefined;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return `${path.join('.') || 'it'} was ${shown(one)}, then ${shown(other)}`;
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  for (const key of keys) {
    const found = differenceOf((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key], [
      ...path,
      key,
    ]);
    if (found !== undefined) return found;
  }
  return undefined;
}

const shown = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value));
