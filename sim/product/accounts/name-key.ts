/** Returns the key by which names are compared. It ignores letter width, accent composition and case. */
export const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase().normalize('NFKC');
