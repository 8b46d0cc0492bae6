# Inserts, patches and reads events with reminders of the given forms with the official Ruby client. Prints JSON.
require 'google/apis/calendar_v3'
require 'json'

base, token = ARGV
given = JSON.parse($stdin.read)
Calendar = Google::Apis::CalendarV3
service = Calendar::CalendarService.new
service.root_url = "#{base}/"
service.authorization = token

# The client's objects have no null: a value that is nil is left out.
event_of = lambda do |body|
  form = body['reminders']
  overrides = form && form['overrides']&.map do |one|
    Calendar::EventReminder.new(reminder_method: one['method'], minutes: one['minutes'])
  end
  reminders = form && Calendar::Event::Reminders.new(**{ use_default: form['useDefault'], overrides: overrides }.compact)
  times = %w[start end].map do |name|
    time = body[name]
    time && Calendar::EventDateTime.new(date_time: time['dateTime'], time_zone: time['timeZone'])
  end
  Calendar::Event.new(**{ id: body['id'], start: times[0], end: times[1], reminders: reminders }.compact)
end

outcome = lambda do |&call|
  JSON.parse(call.call.to_json)['reminders']
rescue Google::Apis::ClientError => e
  JSON.parse(e.body)['error']['errors'][0]['reason']
end

results = given['forms'].each_with_index.map do |body, number|
  inserted = outcome.call { service.insert_event('primary', event_of.call(given['times'].merge(body))) }
  id = "event#{number}"
  service.insert_event('primary', event_of.call(given['times'].merge('id' => id, 'reminders' => given['own'])))
  patched = outcome.call { service.patch_event('primary', id, event_of.call(body)) }
  [inserted, patched, outcome.call { service.get_event('primary', id) }]
end
puts results.to_json
