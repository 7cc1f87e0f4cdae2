/** Returns the actor or the device at the front of a path: bob.phone of bob.phone.call.state. */
export function actorIn(path: string, names: readonly string[]): string {
  const parts = path.split('.');
  const two = parts.slice(0, 2).join('.');
  return names.includes(two) ? two : (parts[0] ?? '');
}
