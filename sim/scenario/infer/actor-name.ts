/** Returns the name of a user in a scenario and its trace: letters, digits, - and _, beginning with a letter. */
export function actorName(userId: string): string {
  const plain = userId.replaceAll(/[^\w-]+/g, '_');
  return /^[a-z]/i.test(plain) ? plain : `user_${plain}`;
}

/** Returns the name, or a similar one that is not taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let count = 2; ; count += 1) if (!taken.has(`${name}-${count}`)) return `${name}-${count}`;
}
