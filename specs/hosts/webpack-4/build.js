/** Builds the page with the defaults of webpack 4. */
const webpack = require('webpack');

webpack(
  { mode: 'production', context: __dirname, entry: './main.js', output: { path: `${__dirname}/built` } },
  (error, stats) => {
    if (error) throw error;
    console.log(stats.toString({ all: false, errors: true, warnings: true, version: true }));
    process.exitCode = stats.hasErrors() ? 1 : 0;
  },
);
