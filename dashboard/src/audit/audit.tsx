import { Button, Text } from '@mantine/core'
import { useSearchParams } from 'wouter'
import { auditCsvAddress, useAudit, type AuditFilter } from '../api/audit'
import { useLanguage } from '../i18n/texts'
import { Icon } from '../components/icon'
import { Page } from '../components/page'
import { readPage, usePageThatExists } from '../components/page-number'
import { Pager } from '../components/pager'
import { Empty, Lines, Loaded } from '../components/states'
import { AuditFilters, filterNames } from './audit-filters'
import { AuditTable } from './audit-table'

export function Audit() {
  const { language, texts } = useLanguage()
  const { audit } = texts
  const [parameters, setParameters] = useSearchParams()
  const filter = readFilter(parameters)
  const page = readPage(parameters)
  const query = useAudit(filter, page)
  const show = (changed: AuditFilter, nextPage: number, options?: { replace: boolean }) => {
    const chosen = Object.entries(changed).filter(([, value]) => value)
    const nextParameters = {
      ...Object.fromEntries(chosen),
      ...(nextPage > 0 && { page: String(nextPage + 1) }),
    }
    setParameters(nextParameters, options)
  }
  usePageThatExists(query.data, page, (lastPage) => show(filter, lastPage, { replace: true }))
  return (
    <Page
      title={audit.title}
      lead={audit.lead}
      actions={
        <Button
          component="a"
          href={auditCsvAddress(filter, language)}
          download
          variant="default"
          leftSection={<Icon name="download" />}
        >
          {audit.csv}
        </Button>
      }
    >
      <div className="panel">
        <AuditFilters filter={filter} onChange={(changed, options) => show(changed, 0, options)} />
        <Loaded query={query} skeleton={<Lines count={12} />}>
          {(data) =>
            data.content.length === 0 ? (
              <Empty icon="audit" title={audit.none}>
                <Text size="sm">{audit.noneHint}</Text>
              </Empty>
            ) : (
              <>
                <AuditTable entries={data.content} isStale={query.isPlaceholderData} />
                <Pager page={data} onPage={(next) => show(filter, next)} />
              </>
            )
          }
        </Loaded>
      </div>
    </Page>
  )
}

const readFilter = (parameters: URLSearchParams): AuditFilter =>
  Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = parameters.get(name)
      return value ? [[name, value]] : []
    }),
  )
