/** Points as they are shown: whole ones, of hundredths, rounded down. */
export const wholePoints = (hundredths: number): number => Math.floor(hundredths / 100);
