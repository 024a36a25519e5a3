/**
 * What the artefacts service may do in S3: put objects with their lock, read them, and see that the
 * bucket locks. It can delete nothing, neither a version nor a marker; and what lifts a protection
 * (the bucket's policy, lock and versions, governance) is not its to touch.
 */
export function archivePolicy(bucket: string): object {
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: [
          's3:GetBucketVersioning',
          's3:GetBucketObjectLockConfiguration',
          's3:GetBucketLocation',
          's3:ListBucket',
          's3:ListBucketVersions',
        ],
        Resource: [`arn:aws:s3:::${bucket}`],
      },
      {
        Effect: 'Allow',
        Action: [
          's3:PutObject',
          's3:GetObject',
          's3:GetObjectVersion',
          's3:GetObjectRetention',
          // Needed to put an object with its lock. A COMPLIANCE lock can only be prolonged.
          's3:PutObjectRetention',
        ],
        Resource: [`arn:aws:s3:::${bucket}/*`],
      },
    ],
  }
}
