import { Agent } from 'undici'

/**
 * Opens connections to services that the operator configures, such as a chain's RPC server or the S3
 * store. They skip the egress guard, because they may be in a private network.
 */
export function createOperatorDispatcher(connections?: number): Agent {
  return new Agent(connections === undefined ? {} : { connections })
}
