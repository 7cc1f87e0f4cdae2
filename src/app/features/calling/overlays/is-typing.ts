/** Whether keys that are pressed now are somebody's words, or the choice of a field. */
export function isTyping(element: Element | null): boolean {
  return (
    element instanceof HTMLElement &&
    (element.isContentEditable ||
      element.matches('textarea, select, input:not([type=radio], [type=checkbox], [type=button])'))
  );
}
