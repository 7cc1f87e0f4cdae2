/** Everything of jssip, for its weight; it is no ES module, and is had as a whole. */
export { default } from 'jssip';
