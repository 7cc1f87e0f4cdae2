/** A part of a text: words, or an address that may be followed. */
export type TextPart = { readonly text: string; readonly href: string | null };

/** Up to a space, a quote or a sign of Chinese writing, and without a sign that no address ends with. */
const ADDRESS = /https?:\/\/[^\s<>"'「」『』（）、，。：；！？]+[^\s<>"'「」『』（）、，。：；！？.,:;!]/giu;

/** Finds the addresses in a text: only http and https, and only such as a browser reads the same (S37). */
export function linkParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    const url = URL.canParse(address) ? new URL(address) : null;
    // A name before the host is there to look like another host.
    if (url === null || url.username !== '' || url.password !== '') continue;
    if (index > end) parts.push({ text: text.slice(end, index), href: null });
    parts.push({ text: address, href: url.href });
    end = index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: null });
  return parts;
}
