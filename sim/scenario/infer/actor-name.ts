/** What a user is called in a scenario and in its trace: letters, digits, - and _, beginning with a letter. */
export function actorName(userId: string): string {
  const plain = userId.replaceAll(/[^\w-]+/g, '_');
  return /^[a-z]/i.test(plain) ? plain : `user_${plain}`;
}

/** The name, or one like it that is not taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let count = 2; ; count += 1) if (!taken.has(`${name}-${count}`)) return `${name}-${count}`;
}
