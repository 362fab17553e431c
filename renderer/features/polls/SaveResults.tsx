import { useState } from 'react'
import type { Poll } from '#shared/domain/poll.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { csvOf } from '#shared/rules/server/csv.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppStore } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { saveAs } from '../attachments/index.ts'
import { readAllVoters } from './commands.ts'
import styles from './Dialogs.module.css'

type Props = { readonly poll: Poll; readonly messageId: MessageId }

/** Saves the results as a spreadsheet table: a row per vote, or per option if the poll is anonymous. */
export function SaveResults({ poll, messageId }: Props) {
  const t = useTexts('polls')
  const errorText = useErrorText()
  const rowsOf = useRows({ poll, messageId })
  const [working, setWorking] = useState(false)
  const [failure, setFailure] = useState<ErrorBody>()
  const save = async (): Promise<void> => {
    if (working) return
    setWorking(true)
    const rows = await rowsOf()
    setWorking(false)
    if (!Array.isArray(rows)) return setFailure(rows)
    setFailure(undefined)
    const url = URL.createObjectURL(new Blob([csvOf(rows)], { type: 'text/csv' }))
    saveAs(url, t('results.fileName'))
    // The download has started when the click returns.
    setTimeout(() => URL.revokeObjectURL(url), 0)
  }
  return (
    <>
      {failure === undefined ? null : (
        <span className={styles['failure']} role="alert">
          {t('results.notAll', { reason: errorText(failure) })}
        </span>
      )}
      <Button icon="download" working={working} onClick={() => void save()}>
        {t('results.save')}
      </Button>
    </>
  )
}

type Row = readonly string[]

function useRows({ poll, messageId }: Props): () => Promise<Row[] | ErrorBody> {
  const t = useTexts('polls')
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const nameOf = (id: string): string => store.getState().entities.users[id]?.name ?? id
  return async () => {
    if (poll.anonymous) {
      const head = [t('results.option'), t('results.votes')]
      return [head, ...poll.options.map(({ text, votes }) => [text, String(votes)])]
    }
    const rows: Row[] = [[t('results.option'), t('results.person'), t('results.time')]]
    for (const option of poll.options) {
      if (option.votes === 0) rows.push([option.text, '', ''])
      if (option.votes === 0) continue
      const voters = await dispatch(readAllVoters({ messageId, optionId: option.id }))
      if (!voters.ok) return voters.error
      for (const { userId, votedAt } of voters.value) {
        rows.push([option.text, nameOf(userId), new Date(votedAt).toISOString()])
      }
    }
    return rows
  }
}
