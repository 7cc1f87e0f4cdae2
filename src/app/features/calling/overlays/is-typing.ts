/** Returns whether an element takes keys as text, or as the choice of a field. */
export function isTyping(element: Element | null): boolean {
  return (
    element instanceof HTMLElement &&
    (element.isContentEditable ||
      element.matches('textarea, select, input:not([type=radio], [type=checkbox], [type=button])'))
  );
}
