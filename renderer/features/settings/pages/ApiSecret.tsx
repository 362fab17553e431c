import { useState } from 'react'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { useManage } from '../../manage/index.ts'
import { saveApiSecret } from '../commands.ts'
import { SettingRow } from '../controls/SettingRow.tsx'
import styles from '../Settings.module.css'

/** For those who run the server of this account: with its secret everything there can be administered. */
export function ApiSecret() {
  const isStored = useManage()?.source === 'secret'
  return isStored ? <Stored /> : <Form />
}

function Stored() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const [working, setWorking] = useState(false)
  const formMessage = useRemark()
  const remove = async (): Promise<void> => {
    setWorking(true)
    const removed = await dispatch(saveApiSecret({}))
    setWorking(false)
    if (!removed.ok) return formMessage.refuse(removed.error)
    announce(t('secret.removed'))
  }
  return (
    <SettingRow title={t('secret.title')} hint={formMessage.text ?? t('secret.stored')}>
      <Button working={working} onClick={() => void remove()}>
        {t('secret.remove')}
      </Button>
    </SettingRow>
  )
}

/** What was typed stays when the server refuses it, and leaves the window when it was stored. */
function Form() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const [typed, setTyped] = useState('')
  const [working, setWorking] = useState(false)
  const formMessage = useRemark((own: 'missing') => t(`secret.${own}`))
  const save = async (): Promise<void> => {
    if (working) return
    const secret = typed.trim()
    if (secret === '') return formMessage.show('missing')
    setWorking(true)
    const saved = await dispatch(saveApiSecret({ secret }))
    setWorking(false)
    if (!saved.ok) return formMessage.refuse(saved.error)
    setTyped('')
    announce(t('secret.saved'))
  }
  return (
    <form
      noValidate
      className={styles['listForm']}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        label={t('secret.title')}
        hint={t('secret.hint')}
        type="password"
        autoComplete="off"
        mono
        value={typed}
        maxLength={500}
        error={formMessage.text}
        onChange={(value) => {
          setTyped(value)
          formMessage.clear()
        }}
      />
      <Button type="submit" working={working}>
        {t('secret.save')}
      </Button>
    </form>
  )
}
