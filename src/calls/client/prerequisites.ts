import type { Environment } from '../platform/environment.ts';

/** The error of a browser or page that cannot make calls (§1, §5). */
export class CallNotSupported extends Error {
  /** Creates the error with the reason as its message. */
  constructor(message: string) {
    super(message);
    this.name = 'ERR_CALL_IS_NOT_SUPPORTED';
  }
}

const INTERNET_EXPLORER = /\b(MSIE |Trident\/)/;
const IP_ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/i;

function isSecurePage({ location }: Environment): boolean {
  if (!location) return true;
  const { protocol, hostname } = location;
  return protocol === 'https:' || protocol === 'file:' || hostname === 'localhost' || IP_ADDRESS.test(hostname);
}

/**
 * Checks the browser and the page.
 * @throws CallNotSupported with what is missing: another browser, a window, real-time media, a secure page.
 */
export function checkPrerequisites(environment: Environment): void {
  if (INTERNET_EXPLORER.test(environment.userAgent)) {
    throw new CallNotSupported('Call is not supported in Internet Explorer');
  }
  if (!environment.hasWindow) throw new CallNotSupported('Call needs a window object: initialise it in a browser.');
  if (!environment.hasRealTimeMedia) throw new CallNotSupported('Call needs a browser with real-time media (WebRTC).');
  if (!isSecurePage(environment)) {
    throw new CallNotSupported('Call needs a secure page: https, localhost, an ip address or a file.');
  }
}
