import path from 'node:path'

// The client's `save` writes to such a file until the download is complete.
const partial = /\.[\da-f-]+\.part$/

/** Replaces « ENOENT: no such file or directory, open … ». */
export function describeFileError(error: NodeJS.ErrnoException): string {
  const { code, message, path: failed } = error
  if (failed === undefined) {
    // A read of a folder that was opened as a file names no path.
    return code === 'EISDIR' ? 'The path is a folder, not a file.' : message
  }
  const file = failed.replace(partial, '')
  const isWriting = failed !== file
  switch (code) {
    case 'ENOENT':
      return isWriting
        ? `Cannot write ${file}: the folder ${path.dirname(file)} does not exist.`
        : `Cannot read ${file}: there is no such file.`
    case 'EISDIR':
      return `${file} is a folder, not a file.`
    case 'EACCES':
    case 'EPERM':
      return `Cannot ${isWriting ? 'write' : 'open'} ${file}: permission denied.`
    case 'ENOTDIR':
      return `Cannot open ${file}: a part of the path is a file, not a folder.`
    case 'ENOSPC':
      return `Cannot write ${file}: the disk is full.`
    default:
      return message
  }
}
