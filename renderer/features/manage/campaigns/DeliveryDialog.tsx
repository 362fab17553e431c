import { useId, useState } from 'react'
import {
  SENDER_MODES,
  SENDER_VISIBILITIES,
  type CampaignContent,
  type SenderMode,
  type SenderVisibility,
} from '#shared/domain/manage/campaigns.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Radios } from '../../../ui/Choice/Radios.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { Dialog, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { NewChannels, type CreatedChannel } from './NewChannels.tsx'
import styles from './Campaigns.module.css'

type Delivery = Pick<
  CampaignContent,
  'channel' | 'createChannels' | 'showChannels' | 'skipPush' | 'skipWebhook' | 'senderMode' | 'senderVisibility'
>

type Props = {
  readonly content: CampaignContent
  readonly onClose: () => void
  readonly onChange: (to: Delivery) => void
}

const PLACES = ['direct', 'existing', 'each'] as const
type Place = (typeof PLACES)[number]

export const placeOf = ({ channel }: Pick<CampaignContent, 'channel'>): Place =>
  channel === undefined ? 'direct' : channel.id === undefined ? 'each' : 'existing'

const MODES = ['as-is', ...SENDER_MODES] as const
const VISIBILITIES = ['shown', ...SENDER_VISIBILITIES] as const

/** Where the message goes, and what else happens with it: every choice says what follows from it. */
export function DeliveryDialog({ content, onClose, onChange }: Props) {
  const t = useTexts('campaigns')
  const common = useTexts('common')
  const [place, setPlace] = useState(placeOf(content))
  const [type, setType] = useState(content.channel?.type ?? 'messaging')
  const [channelId, setChannelId] = useState(content.channel?.id ?? '')
  const [made, setMade] = useState<CreatedChannel>(() => content.channel ?? { members: [], fields: {} })
  const [effects, setEffects] = useState<Delivery>(content)
  const formMessage = useRemark((own: 'type' | 'id') => t(`delivery.${own}Wrong`))
  const submit = (): void => {
    const [theType, id] = [type.trim(), channelId.trim()]
    if (place !== 'direct' && !/^[A-Za-z0-9_-]{1,64}$/.test(theType)) return formMessage.show('type')
    if (place === 'existing' && !/^[A-Za-z0-9!_-]{1,64}$/.test(id)) return formMessage.show('id')
    const channel = { ...made, type: theType, id: place === 'existing' ? id : undefined }
    onChange({ ...effects, channel: place === 'direct' ? undefined : channel })
    onClose()
  }
  return (
    <Dialog
      title={t('delivery.title')}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary">
            {t('delivery.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <Radios
          label={t('delivery.place')}
          value={place}
          choices={PLACES.map((value) => ({
            value,
            label: t(`delivery.places.${value}`),
            hint: t(`delivery.placeHints.${value}`),
          }))}
          hintsBelow
          onChange={(next) => {
            formMessage.clear()
            setPlace(next)
          }}
        />
        {place === 'direct' ? null : (
          <TextField
            label={t('delivery.type')}
            hint={t('delivery.typeHint')}
            mono
            value={type}
            maxLength={64}
            autoComplete="off"
            onChange={setType}
          />
        )}
        {place === 'existing' ? (
          <TextField
            label={t('delivery.id')}
            hint={t('delivery.idHint')}
            mono
            value={channelId}
            maxLength={64}
            autoComplete="off"
            onChange={setChannelId}
          />
        ) : null}
        {place === 'direct' ? null : <NewChannels made={made} onChange={(to) => setMade({ ...made, ...to })} />}
        <Effects made={effects} onChange={(to) => setEffects({ ...effects, ...to })} />
        <Refusal text={formMessage.text} />
      </div>
    </Dialog>
  )
}

type EffectsProps = { readonly made: Delivery; readonly onChange: (to: Partial<Delivery>) => void }

/** Switches and choices, each with what follows from it. */
function Effects({ made, onChange }: EffectsProps) {
  const t = useTexts('campaigns')
  return (
    <>
      <Toggle name="create" on={made.createChannels} onChange={(createChannels) => onChange({ createChannels })} />
      <Toggle name="show" on={made.showChannels} onChange={(showChannels) => onChange({ showChannels })} />
      <Toggle name="push" on={!made.skipPush} onChange={(on) => onChange({ skipPush: !on })} />
      <Toggle name="webhook" on={!made.skipWebhook} onChange={(on) => onChange({ skipWebhook: !on })} />
      <Choice
        label={t('delivery.mode')}
        hint={t(`delivery.modeHints.${made.senderMode ?? 'as-is'}`)}
        value={made.senderMode ?? 'as-is'}
        choices={MODES.map((value) => ({ value, label: t(`delivery.modes.${value}`) }))}
        onChange={(value) => onChange({ senderMode: value === 'as-is' ? undefined : (value satisfies SenderMode) })}
      />
      <Choice
        label={t('delivery.visibility')}
        hint={t(`delivery.visibilityHints.${made.senderVisibility ?? 'shown'}`)}
        value={made.senderVisibility ?? 'shown'}
        choices={VISIBILITIES.map((value) => ({ value, label: t(`delivery.visibilities.${value}`) }))}
        onChange={(value) =>
          onChange({ senderVisibility: value === 'shown' ? undefined : (value satisfies SenderVisibility) })
        }
      />
    </>
  )
}

type ToggleProps = {
  readonly name: 'create' | 'show' | 'push' | 'webhook'
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}

function Toggle({ name, on, onChange }: ToggleProps) {
  const t = useTexts('campaigns')
  const id = useId()
  return (
    <div className={styles['toggle']}>
      <span className={styles['toggleText']}>
        <span id={id}>{t(`delivery.toggles.${name}`)}</span>
        <span id={`${id}-hint`} className={styles['hint']}>
          {t(`delivery.${on ? 'on' : 'off'}.${name}`)}
        </span>
      </span>
      <Switch labelledBy={id} describedBy={`${id}-hint`} on={on} onChange={onChange} />
    </div>
  )
}

type ChoiceProps<Value extends string> = {
  readonly label: string
  readonly hint: string
  readonly value: Value
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange: (value: Value) => void
}

function Choice<Value extends string>({ label, hint, ...select }: ChoiceProps<Value>) {
  return (
    <div className={styles['toggle']}>
      <span className={styles['toggleText']}>
        <span>{label}</span>
        <span className={styles['hint']}>{hint}</span>
      </span>
      <Select label={label} {...select} />
    </div>
  )
}
