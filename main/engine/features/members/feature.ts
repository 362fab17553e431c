import { defineFeature } from '../../registry/feature.ts'
import { memberEvents } from './events.ts'

export const membersFeature = defineFeature({ events: memberEvents })
