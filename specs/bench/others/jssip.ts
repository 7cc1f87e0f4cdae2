/** All exports of jssip, for its weight. It is no ES module, so it is imported as a whole. */
export { default } from 'jssip';
