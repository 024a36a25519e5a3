import { CopyIcon } from '../components/copy-button'

interface SummaryItemProps {
  label: string
  children: string
  isCopied?: boolean
}

export function SummaryItem({ label, children, isCopied = false }: SummaryItemProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {children} {isCopied && <CopyIcon text={children} label={label} />}
      </dd>
    </div>
  )
}
