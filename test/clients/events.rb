# Sends the given calls of events with the official Ruby client. Prints the replies, or the error of each, as JSON.
require 'google/apis/calendar_v3'
require 'json'

base, token = ARGV
Calendar = Google::Apis::CalendarV3
service = Calendar::CalendarService.new
service.root_url = "#{base}/"
service.authorization = token

# The client's objects have no null: a value that is nil is left out.
TYPES = { 'events' => Calendar::Event, 'acl' => Calendar::AclRule }.freeze
NAMES = { 'events.insert' => :insert_event, 'events.import' => :import_event, 'events.patch' => :patch_event,
          'events.update' => :update_event, 'events.get' => :get_event, 'events.instances' => :list_event_instances,
          'acl.insert' => :insert_acl }.freeze

replies = JSON.parse($stdin.read).map do |call|
  params = call['params']
  type = TYPES[call['resource']]
  body = params['body'] && type::Representation.new(type.new).from_json(params['body'].to_json)
  options = params['originalStart'] ? { original_start: params['originalStart'] } : {}
  arguments = [params['calendarId'], params['eventId'], body].compact
  JSON.parse(service.public_send(NAMES["#{call['resource']}.#{call['method']}"], *arguments, **options).to_json)
rescue Google::Apis::ClientError => e
  JSON.parse(e.body)
end
puts replies.to_json
