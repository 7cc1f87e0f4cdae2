/** A part of a text. `href` is null for plain text. */
export type TextPart = { readonly text: string; readonly href: string | null };

/** Matches an address up to a space, a quote or Chinese punctuation, without punctuation at its end. */
const ADDRESS = /https?:\/\/[^\s<>"'「」『』（）、，。：；！？]+[^\s<>"'「」『』（）、，。：；！？.,:;!]/giu;

/**
 * Splits a text at its addresses. Accepts only http and https, and only addresses that the browser parses unchanged
 * (S37).
 */
export function linkParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    const url = URL.canParse(address) ? new URL(address) : null;
    // A user name before the host can make an address look like another host.
    if (url === null || url.username !== '' || url.password !== '') continue;
    if (index > end) parts.push({ text: text.slice(end, index), href: null });
    parts.push({ text: address, href: url.href });
    end = index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: null });
  return parts;
}
