import { useEffect, useRef, useState } from 'react'
import type { CampaignAttachment } from '#shared/domain/manage/campaigns.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { sendCampaignFile } from './commands.ts'
import { FormDialog } from './Dialogs.tsx'
import { Meter } from './Meter.tsx'
import styles from './Campaigns.module.css'

type Props = { readonly onClose: () => void; readonly onAdd: (file: CampaignAttachment) => void }
type TabProps = Props & { readonly tabs: React.ReactNode }

const SOURCES = ['device', 'web'] as const

/** A file that goes with the message: from this device, or by its address. */
export function FileDialog(props: Props) {
  const t = useTexts('campaigns')
  const [source, setSource] = useState<(typeof SOURCES)[number]>('device')
  const tabs = (
    <Segments
      label={t('extras.file.source')}
      value={source}
      choices={SOURCES.map((value) => ({ value, label: t(`extras.file.sources.${value}`) }))}
      onChange={setSource}
    />
  )
  return source === 'device' ? <FromDevice {...props} tabs={tabs} /> : <FromWeb {...props} tabs={tabs} />
}

function FromDevice({ tabs, onAdd, onClose }: TabProps) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File>()
  const [done, setDone] = useState<number>()
  const running = useRef<AbortController>(undefined)
  const formMessage = useRemark((own: 'none' | 'empty' | 'offline') => t(`extras.file.${own}`))
  useEffect(() => () => running.current?.abort(), [])
  const choose = (chosen: File | undefined): void => {
    if (chosen === undefined) return
    formMessage.clear()
    if (chosen.size === 0) return formMessage.show('empty')
    setFile(chosen)
  }
  const submit = async (): Promise<void> => {
    if (done !== undefined) return
    if (file === undefined) return formMessage.show('none')
    if (offline) return formMessage.show('offline')
    setDone(0)
    const stop = new AbortController()
    running.current = stop
    const sent = await dispatch(sendCampaignFile({ file, signal: stop.signal, onProgress: setDone }))
    if (stop.signal.aborted) return
    setDone(undefined)
    if (!sent.ok) return formMessage.refuse(sent.error)
    onAdd(sent.value)
    onClose()
  }
  return (
    <FormDialog
      title={t('extras.file.title')}
      confirm={t('extras.add')}
      error={formMessage.text}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {tabs}
      <div className={styles['chips']}>
        <Button size="small" icon="paperclip" disabled={done !== undefined} onClick={() => input.current?.click()}>
          {t(file === undefined ? 'extras.file.choose' : 'extras.file.chooseOther')}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t('extras.file.choose')}
          onChange={({ currentTarget }) => {
            choose(currentTarget.files?.[0])
            currentTarget.value = ''
          }}
        />
        {file === undefined ? null : (
          <span className={styles['fileName']}>
            <bdi>{file.name}</bdi> <span className={styles['quiet']}>{formats.bytes(file.size)}</span>
          </span>
        )}
      </div>
      {done === undefined ? (
        <p className={styles['hint']}>{t('extras.file.deviceHint')}</p>
      ) : (
        <Meter large value={done} label={t('extras.file.sending', { name: file?.name ?? '' })} />
      )}
    </FormDialog>
  )
}

const KINDS = ['image', 'file'] as const

function FromWeb({ tabs, onClose, onAdd }: TabProps) {
  const t = useTexts('campaigns')
  const [kind, setKind] = useState<(typeof KINDS)[number]>('image')
  const [address, setAddress] = useState('')
  const [title, setTitle] = useState('')
  const formMessage = useRemark((own: 'wrong') => t(`extras.file.${own}`))
  const submit = (): void => {
    const url = URL.parse(address.trim())
    if (url?.protocol !== 'https:') return formMessage.show('wrong')
    const name = title.trim() === '' ? (url.pathname.split('/').at(-1) ?? '') || url.host : title.trim()
    const image = kind === 'image'
    const wire = image
      ? { type: 'image', image_url: url.href, fallback: name, title: name }
      : { type: 'file', asset_url: url.href, title: name }
    onAdd({ title: name, image, json: JSON.stringify(wire) })
    onClose()
  }
  return (
    <FormDialog
      title={t('extras.file.title')}
      confirm={t('extras.add')}
      error={formMessage.text}
      onSubmit={submit}
      onClose={onClose}
    >
      {tabs}
      <Segments
        label={t('extras.file.kind')}
        value={kind}
        choices={KINDS.map((value) => ({ value, label: t(`extras.file.kinds.${value}`) }))}
        onChange={setKind}
      />
      <TextField
        label={t('extras.file.address')}
        hint={t('extras.file.hint')}
        type="url"
        value={address}
        maxLength={2_000}
        autoComplete="off"
        onChange={(next) => {
          formMessage.clear()
          setAddress(next)
        }}
      />
      <TextField
        label={t('extras.file.name')}
        optional={t('optional')}
        value={title}
        maxLength={255}
        autoComplete="off"
        onChange={setTitle}
      />
    </FormDialog>
  )
}
