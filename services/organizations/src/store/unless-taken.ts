/** Only the email can conflict: ids and digests are random. */
export async function unlessTaken<T>(
  isConflict: (error: unknown) => boolean,
  work: Promise<T>,
): Promise<T | 'email-taken'> {
  try {
    return await work
  } catch (error) {
    if (isConflict(error)) return 'email-taken'
    throw error
  }
}
