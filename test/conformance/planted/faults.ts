import type { PlantedFault } from './fault.ts'
import { PROTOCOL_FAULTS } from './protocolFaults.ts'
import { RESOURCE_FAULTS } from './resourceFaults.ts'

/** Wrong servers, by what they do otherwise than the service. Each must fail a test of its heading, and the correct one none. */
export const FAULTS: Readonly<Record<string, PlantedFault>> = { ...RESOURCE_FAULTS, ...PROTOCOL_FAULTS }
