import { isBlank } from '#shared/lib/clean-text.ts'
import { useState } from 'react'
import type { Channel } from '#shared/domain/channel.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { TextArea } from '../../../ui/Field/TextArea.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { saveNames } from '../commands.ts'
import styles from '../Info.module.css'

/** Edits name and topic in place. The typed text stays when the server refuses it. */
export function NameForm({ channel, why }: { readonly channel: Channel; readonly why: string | undefined }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const [typed, setTyped] = useState<{ name?: string; topic?: string }>({})
  const formMessage = useRemark((own: 'nameMissing') => t(`settings.${own}`))
  const [working, setWorking] = useState(false)
  const name = typed.name ?? channel.name
  const topic = typed.topic ?? channel.topic ?? ''
  const changed = name !== channel.name || topic !== (channel.topic ?? '')
  const save = async (): Promise<void> => {
    if (why !== undefined || !changed) return
    if (isBlank(name)) {
      formMessage.show('nameMissing')
      return
    }
    setWorking(true)
    const saved = await dispatch(saveNames({ cid: channel.cid, name: name.trim(), topic: topic.trim() }))
    setWorking(false)
    if (!saved.ok) {
      formMessage.refuse(saved.error)
      return
    }
    setTyped({})
    formMessage.clear()
    announce(t('settings.saved'))
  }
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        label={t('settings.name')}
        value={name}
        maxLength={100}
        autoComplete="off"
        readOnly={why !== undefined}
        error={formMessage.text}
        hint={why}
        onChange={(value) => {
          setTyped({ ...typed, name: value })
          formMessage.clear()
        }}
      />
      <TextArea
        label={t('settings.topic')}
        optional={t('settings.optional')}
        value={topic}
        maxLength={500}
        readOnly={why !== undefined}
        onChange={(value) => setTyped({ ...typed, topic: value })}
      />
      {changed ? (
        <div className={styles['formFoot']}>
          <Button type="submit" variant="primary" working={working} aria-disabled={why !== undefined}>
            {t('settings.save')}
          </Button>
        </div>
      ) : null}
    </form>
  )
}
