/** Converts hundredths of a point to the whole points that are shown, rounded down. */
export const wholePoints = (hundredths: number): number => Math.floor(hundredths / 100);
