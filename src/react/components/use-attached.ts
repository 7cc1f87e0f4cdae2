import { type Ref, type RefObject, useEffect, useImperativeHandle, useRef } from 'react';

/**
 * Attaches media to the element of a component, and detaches it when the component unmounts or `attach` changes.
 *
 * @param attach - attaches the media, and returns the function that detaches it.
 * @param outer - the ref of the host to the same element.
 * @returns the ref of the element.
 */
export function useAttached<Element extends HTMLMediaElement>(
  attach: (element: Element) => () => void,
  outer: Ref<Element>,
): RefObject<Element | null> {
  const inner = useRef<Element>(null);
  useImperativeHandle(outer, () => inner.current as Element, []);
  useEffect(() => (inner.current === null ? undefined : attach(inner.current)), [attach]);
  return inner;
}
