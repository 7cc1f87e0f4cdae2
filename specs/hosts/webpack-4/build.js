/** Builds the page with the defaults of webpack 4, without its advice about sizes. */
const webpack = require('webpack');

webpack(
  {
    mode: 'production',
    context: __dirname,
    entry: './main.js',
    output: { path: `${__dirname}/built` },
    // The build in one file has the code of rooms, and is above the 244 KiB that webpack recommends.
    performance: { hints: false },
  },
  (error, stats) => {
    if (error) throw error;
    console.log(stats.toString({ all: false, errors: true, warnings: true, version: true }));
    process.exitCode = stats.hasErrors() ? 1 : 0;
  },
);
