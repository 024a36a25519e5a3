/** Takes as many milliseconds as the document says. */
exports.examineOnThread = ({ document }) => {
  const milliseconds = Number(String.fromCharCode(...document))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
  return { kind: 'refused', code: 'PROCESSING_ERROR', message: `${milliseconds} ms` }
}
