/** Names of one key are one name: however wide its letters, however its accents are put together, in capitals or not. */
export const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase().normalize('NFKC');
