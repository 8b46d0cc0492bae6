// npx fake-calendar exec -- swift test    (GoogleAPIClientForREST_Calendar, on macOS; for Xcode see the guide)
import GoogleAPIClientForREST_Calendar
import XCTest

final class CalendarTests: XCTestCase {
  let address = ProcessInfo.processInfo.environment["FAKE_CALENDAR_URL"]!
  lazy var service: GTLRCalendarService = {
    let service = GTLRCalendarService()
    service.rootURLString = address + "/"
    service.allowInsecureQueries = true
    service.additionalHTTPHeaders = ["Authorization": "Bearer swift~alice@example.com"]
    return service
  }()

  /// Sends a request to the world "swift", and returns its status.
  func control(_ method: String, _ path: String, _ body: String = "") async throws -> Int {
    var request = URLRequest(url: URL(string: address + "/w/swift/_control" + path)!)
    request.httpMethod = method
    if !body.isEmpty { request.httpBody = Data(body.utf8) }
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    let (_, response) = try await URLSession.shared.data(for: request)
    return (response as! HTTPURLResponse).statusCode
  }

  /// Executes a query, and returns its object.
  func execute(_ query: GTLRCalendarQuery) async throws -> Any? {
    try await withCheckedThrowingContinuation { continuation in
      service.executeQuery(query) { _, object, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: object) }
      }
    }
  }

  func testACallIsRefusedOnce() async throws {
    _ = try await control("POST", "/reset")
    _ = try await control("POST", "/faults", #"{"on": "events.quickAdd", "do": {"fail": "rateLimitExceeded"}}"#)
    let lunch = { GTLRCalendarQuery_EventsQuickAdd.query(withCalendarId: "primary", text: "Lunch") }

    do {
      _ = try await execute(lunch())
      XCTFail("the first call was not refused")
    } catch { XCTAssertEqual((error as NSError).code, 403) }
    _ = try await execute(lunch())

    let events = try await execute(GTLRCalendarQuery_EventsList.query(withCalendarId: "primary")) as? GTLRCalendar_Events
    XCTAssertEqual(events?.items?.map { $0.summary }, ["Lunch"])
    let verified = try await control("GET", "/faults/verify")
    XCTAssertEqual(verified, 200)
  }
}
