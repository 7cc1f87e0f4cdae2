/** Hands a picture to the browser as a file to keep. */
export function savePicture(dataUrl: string, name: string): void {
  const link = document.createElement('a');
  link.href = dataUrl;
  link.download = name;
  link.click();
}
