/** Refuses an invalid configuration as browsers do (W3C WebRTC §4.4.1.6). */
export function assertConfiguration({ iceServers = [] }: RTCConfiguration): void {
  for (const { urls, username, credential } of iceServers) {
    for (const url of [urls].flat()) {
      if (!/^(stuns?|turns?):[^\s/]+$/.test(url)) throw new DOMException(`'${url}' is not a valid URL.`, 'SyntaxError');
      if (/^turns?:/.test(url) && (username === undefined || credential === undefined)) {
        throw new DOMException('Both username and credential are required', 'InvalidAccessError');
      }
    }
  }
}
