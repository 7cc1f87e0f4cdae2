/** Downloads a blob as a file. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  saveFrom(url, name);
  URL.revokeObjectURL(url);
}

/** Downloads the content of an address of this page. */
export function saveFrom(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
